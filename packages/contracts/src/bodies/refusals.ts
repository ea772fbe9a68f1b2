/** What several bodies say of a value that they can not read. */
export const NOT_AN_OBJECT = 'should be an object';
export const NO_REFERENCE = 'id or name should be provided';
export const NO_USER = 'id or username should be provided';

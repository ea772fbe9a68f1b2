import fc from 'fast-check/itself';

/** `jest.config.js` sets it from the tree of the commit. */
const { PROPERTY_SEED } = process.env;

if (PROPERTY_SEED !== undefined) fc.configureGlobal({ seed: Number(PROPERTY_SEED) });

export default fc;

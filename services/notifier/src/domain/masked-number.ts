/** A number of which only the end is readable. */
export const maskedNumber = (to: string): string => `•••${to.replaceAll(/\D/g, '').slice(-2)}`;

import fc from 'fast-check/itself';

/** Of the tree of the commit, by `jest.config.js`. */
const { PROPERTY_SEED } = process.env;

if (PROPERTY_SEED !== undefined) fc.configureGlobal({ seed: Number(PROPERTY_SEED) });

export default fc;

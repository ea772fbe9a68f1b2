/**
 * Gives `deep` in `npm test -- --deep`, which spares no time, and `usual` in every other run: `usual` stands for what `deep`
 * adds, so it is one case of each kind, never none. A block that is deep alone is
 * `const describeDeep = casesOf({ usual: describe.skip, deep: describe })`, beside one that always runs.
 */
export function casesOf<T>({ usual, deep }: { readonly usual: T; readonly deep: T }): T {
  return process.env['DEEP_TESTS'] === '1' ? deep : usual;
}

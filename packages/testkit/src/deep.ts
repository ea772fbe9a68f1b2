/**
 * Returns `deep` in `npm test -- --deep`, which may take long, and `usual` in every other run. `usual` has at least one case of each
 * kind in `deep`. A block for deep runs only is `const describeDeep = casesOf({ usual: describe.skip, deep: describe })`, beside one
 * that always runs.
 */
export function casesOf<T>({ usual, deep }: { readonly usual: T; readonly deep: T }): T {
  return process.env['DEEP_TESTS'] === '1' ? deep : usual;
}

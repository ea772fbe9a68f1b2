/**
 * The ids of the things of a list that replaces `present`: a thing without an id keeps that of the present one at its place, unless another
 * thing of the list has it, or gets a new one (I1).
 */
export function nestedIds(
  listed: readonly { readonly id?: string | undefined }[],
  present: readonly ({ readonly id: string } | undefined)[],
  newId: () => string,
): readonly string[] {
  const named = new Set(listed.map(({ id }) => id));
  return listed.map(({ id }, place) => {
    const kept = present[place]?.id;
    return id ?? (kept === undefined || named.has(kept) ? newId() : kept);
  });
}

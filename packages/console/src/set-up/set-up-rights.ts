/** Who makes users, teams and integrations. Custom roles extend none of these (K11). */
const MAY_SET_UP: ReadonlySet<string> = new Set(['owner', 'admin']);

/** Why a person cannot set up an account; undefined where they can. The server decides; the page shows it before. */
export const setUpRefused = ({ id, name }: { readonly id: string; readonly name: string }): string | undefined =>
  MAY_SET_UP.has(id) ? undefined : `Your role "${name}" cannot set up an account. Ask an owner or an admin.`;

/** Why a query is none; caught by `parseQuery`, which answers it. */
export class Refusal extends Error {
  /** Where it stands, in UTF-16 units from 0. */
  readonly at: number;

  constructor(at: number, reason: string) {
    super(reason);
    this.name = 'Refusal';
    this.at = at;
  }
}

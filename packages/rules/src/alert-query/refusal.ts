/** A syntax error of a query. `parseQuery` catches it and returns it. */
export class Refusal extends Error {
  /** Position in UTF-16 units from 0. */
  readonly at: number;

  constructor(at: number, reason: string) {
    super(reason);
    this.name = 'Refusal';
    this.at = at;
  }
}

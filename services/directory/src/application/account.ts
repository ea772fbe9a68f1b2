import type { UserStore } from '../ports/user-store.ts';

/** The most that a signed number of 32 bits holds: clients read the limit as one, and there is none. */
const NO_LIMIT = 2_147_483_647;

/** The account as answers show it (wire facts 5). */
export interface AccountSummary {
  readonly name: string;
  readonly userCount: number;
  readonly plan: { readonly maxUserCount: number; readonly name: string; readonly isYearly: boolean };
}

/** The one account of the installation (K5). */
export class Account {
  readonly #users: Pick<UserStore, 'count'>;
  readonly #name: string;

  constructor({ users, account }: { users: Pick<UserStore, 'count'>; account: { readonly name: string } }) {
    this.#users = users;
    this.#name = account.name;
  }

  /** Nobody pays for an installation of one's own: its plan has no limit and no term. */
  async summary(): Promise<AccountSummary> {
    const plan = { maxUserCount: NO_LIMIT, name: 'Self-hosted', isYearly: false };
    return { name: this.#name, userCount: await this.#users.count(), plan };
  }
}

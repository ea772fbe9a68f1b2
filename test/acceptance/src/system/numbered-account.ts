import { opsgenieAccount, type OpsgenieAccount } from '@tocsin/testkit';

/** The account of the double of Opsgenie with ids and names of its own, so that several fit into one Tocsin. */
export function accountNumber(number: number): OpsgenieAccount {
  const { account, rateLimits, ...things } = opsgenieAccount();
  // Tocsin takes no URL with a password.
  for (const integration of things.integrations)
    if ('url' in integration) integration['url'] = 'https://hooks.example.com/services/incidents';
  return { account, rateLimits, ...(numbered(things, number) as typeof things) };
}

const ID = /^(\d{8})-0000-4000-/;
const FIXED_ROLES: ReadonlySet<unknown> = new Set(['Owner', 'Admin', 'User']);

function numbered(value: unknown, number: number, field = ''): unknown {
  if (typeof value === 'string') return numberedText(value, number, field);
  if (Array.isArray(value)) return value.map((item) => numbered(item, number));
  if (value instanceof Map)
    return new Map([...value].map(([id, item]) => [numberedText(String(id), number, ''), numbered(item, number)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, numbered(item, number, name)]));
}

function numberedText(text: string, number: number, field: string): string {
  if (field === 'name' && !FIXED_ROLES.has(text)) return `${text} ${number}`;
  const id = text.replace(ID, `$1-0000-4${String(number).padStart(3, '0')}-`);
  return id.replace('@example.com', `@account-${number}.example.com`);
}

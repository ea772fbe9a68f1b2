import type { IntegrationState } from '@tocsin/contracts';
import type { AnnouncedKind, IndexPlan, Stored } from '@tocsin/persistence';
import { stateMessage, type Integration } from '../domain/integration.ts';
import type { ActionGroups } from '../domain/integration-action.ts';
import type { IntegrationContent } from '../domain/integration-content.ts';
import { emailUsernameTaken, nameTaken } from './conflicts.ts';

export const INTEGRATIONS = 'integrations';
/** The ids of teams that are deleted. */
export const DELETED_TEAMS = 'deleted_teams';
/** The name of the index by which a mail address is unique. */
const EMAIL_USERNAME = 'emailUsername';

/** Actions and content are kept as JSON: their names and keys are anybody's. */
type IntegrationDocument = Omit<Stored<Integration>, 'actions' | 'content'> & {
  readonly actions: string;
  readonly content: string;
};

export const INTEGRATION: AnnouncedKind<Integration, IntegrationState, IntegrationDocument> = {
  collection: INTEGRATIONS,
  conflict: (integration, index) =>
    index === EMAIL_USERNAME ? emailUsernameTaken(integration) : nameTaken(integration),
  read: ({ _id, actions, content, ...rest }) => ({
    ...rest,
    id: _id,
    actions: JSON.parse(actions) as ActionGroups,
    content: JSON.parse(content) as IntegrationContent,
  }),
  write: ({ id, actions, content, ...rest }) => ({
    _id: id,
    ...rest,
    actions: JSON.stringify(actions),
    content: JSON.stringify(content),
  }),
  message: stateMessage,
};

export const integrationIndexes: readonly IndexPlan[] = [
  {
    collection: INTEGRATIONS,
    keys: { name: 1 },
    options: { unique: true, name: 'name' },
    serves: 'one integration per name, exact comparison (E14)',
  },
  {
    collection: INTEGRATIONS,
    keys: { 'key.hash': 1 },
    options: { unique: true, sparse: true, name: 'key' },
    serves: 'the gateway, which asks for the holder of a key that it does not know yet',
  },
  {
    collection: INTEGRATIONS,
    keys: { 'retiringKeys.keyHash': 1 },
    options: { sparse: true },
    serves: 'the same, for a key that was replaced a while ago',
  },
  {
    collection: INTEGRATIONS,
    keys: { emailUsername: 1 },
    options: { unique: true, sparse: true, name: EMAIL_USERNAME, collation: { locale: 'en', strength: 2 } },
    serves: 'one integration per mail address, without regard to case (P10)',
  },
  {
    collection: INTEGRATIONS,
    keys: { 'ownerTeam.id': 1, createdAt: 1, _id: 1 },
    serves: 'the list of one team, in the order of creation',
  },
  { collection: INTEGRATIONS, keys: { createdAt: 1, _id: 1 }, serves: 'the list in the order of creation' },
  {
    collection: DELETED_TEAMS,
    keys: { createdAt: 1 },
    // Only while Kafka is away does a process believe in a deleted team for longer than a second.
    options: { expireAfterSeconds: 15 * 24 * 3_600 },
    serves: 'the end of ids that no process takes for those of present teams',
  },
];

import { parseArgs } from 'node:util';
import { VERSION } from '@tocsin/service';
import { SERVICES, type ServiceName } from '../service-plan.ts';

/** The options of `npm run images`. */
export interface ImageOrder {
  /** Of each image; several name the same image. */
  readonly tags: readonly [string, ...string[]];
  readonly services: readonly ServiceName[];
  /** The base of the final images. */
  readonly nodeImage: string;
  /** Whether the images of Node, MongoDB and Kafka are made on this machine first. */
  readonly localBases: boolean;
  /** Before the names of those. */
  readonly localPrefix: string;
  /** The certificates that npm trusts in the build, and only there. */
  readonly caFile: string | undefined;
  /** The image of the gateway of the release before. Pages that are open during an upgrade load the rest of their files of it. */
  readonly previousGateway: string | undefined;
  /** Where the source can be read, for the label. */
  readonly source: string | undefined;
}

/** Either the order, or every problem with it. */
export type ImageOrderResult = { readonly order: ImageOrder } | { readonly problems: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

const PUBLIC_NODE_IMAGE = 'node:24-bookworm-slim';
/** The tag for development; an image has that of the version as well. */
const DEVELOPMENT = 'dev';
const TAG = /^\w[\w.-]{0,127}$/;

const OPTIONS = {
  tag: { type: 'string' },
  service: { type: 'string', multiple: true },
  source: { type: 'string' },
  'previous-gateway': { type: 'string' },
  'local-bases': { type: 'boolean' },
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

/** Reads the options and `NODE_IMAGE`, `LOCAL_IMAGE_PREFIX` (local), `BUILD_CA_FILE` and `NODE_EXTRA_CA_CERTS`. */
export function imageOrder(args: readonly string[], environment: Environment): ImageOrderResult {
  const problems: string[] = [];
  const values = optionsOf(args, problems);
  const { tag, service: names = [], source, 'local-bases': localBases = false } = values;
  const previousGateway = values['previous-gateway'];
  const unknown = names.filter((name) => !SERVICES.some((service) => service === name));
  if (unknown.length > 0) problems.push(`There is no service ${unknown.join(', ')}; there are ${SERVICES.join(', ')}.`);
  if (tag !== undefined && !TAG.test(tag)) problems.push(`--tag should be a tag of an image, not "${tag}".`);
  if (problems.length > 0) return { problems };
  const services = SERVICES.filter((name) => names.length === 0 || names.includes(name));
  const tags: ImageOrder['tags'] = tag === undefined ? [DEVELOPMENT, VERSION] : [tag];
  return {
    order: { tags, services, source, localBases, previousGateway, ...environmentOrder(environment, localBases) },
  };
}

function environmentOrder(environment: Environment, localBases: boolean) {
  const localPrefix = given(environment, 'LOCAL_IMAGE_PREFIX') ?? 'local';
  return {
    localPrefix,
    nodeImage:
      given(environment, 'NODE_IMAGE') ?? (localBases ? `${localPrefix}/${PUBLIC_NODE_IMAGE}` : PUBLIC_NODE_IMAGE),
    caFile: given(environment, 'BUILD_CA_FILE') ?? given(environment, 'NODE_EXTRA_CA_CERTS'),
  };
}

function optionsOf(args: readonly string[], problems: string[]): Values {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
    return {};
  }
}

function given(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}

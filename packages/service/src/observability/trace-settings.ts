export interface TraceSampling {
  /** Whether the decision of the parent is kept. */
  readonly asParent: boolean;
  /** The share of sampled traces, from 0 to 1, both inclusive. */
  readonly share: number;
}

export interface TraceSettings {
  /** Of an OTLP endpoint for HTTP and protobuf. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `tocsin-` and the name of the service by default. */
  readonly serviceName: string | undefined;
  readonly sampling: TraceSampling;
  readonly resource: Readonly<Record<string, string>>;
}

/** The settings, undefined where nothing is traced; or every problem of the variables. */
export type TraceSettingsResult =
  { readonly settings: TraceSettings | undefined } | { readonly problems: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

const SAMPLERS: Readonly<Record<string, (share: number) => TraceSampling>> = {
  always_on: () => ({ asParent: false, share: 1 }),
  always_off: () => ({ asParent: false, share: 0 }),
  traceidratio: (share) => ({ asParent: false, share }),
  parentbased_always_on: () => ({ asParent: true, share: 1 }),
  parentbased_always_off: () => ({ asParent: true, share: 0 }),
  parentbased_traceidratio: (share) => ({ asParent: true, share }),
};

/**
 * Reads the standard variables of OpenTelemetry. Nothing is traced unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Each problem is
 * one line without the value, which may be secret.
 */
export function readTraceSettings(environment: Environment): TraceSettingsResult {
  const endpoint = environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (endpoint === undefined || endpoint === '') return { settings: undefined };
  const problems = protocolProblems(environment);
  const needed = <T>(value: T | undefined, problem: string, instead: T): T => {
    if (value === undefined) problems.push(problem);
    return value ?? instead;
  };
  const settings: TraceSettings = {
    url: needed(tracesUrl(endpoint), 'OTEL_EXPORTER_OTLP_ENDPOINT should be a URL such as http://collector:4318.', ''),
    headers: needed(pairsOf(environment['OTEL_EXPORTER_OTLP_HEADERS']), pairsProblem('OTEL_EXPORTER_OTLP_HEADERS'), {}),
    serviceName: environment['OTEL_SERVICE_NAME'],
    sampling: needed(samplingOf(environment), SAMPLER_PROBLEM, { asParent: true, share: 0 }),
    resource: needed(pairsOf(environment['OTEL_RESOURCE_ATTRIBUTES']), pairsProblem('OTEL_RESOURCE_ATTRIBUTES'), {}),
  };
  return problems.length === 0 ? { settings } : { problems };
}

const pairsProblem = (name: string): string => `${name} should be name=value[,name=value…].`;
const SAMPLER_PROBLEM = `OTEL_TRACES_SAMPLER should be one of ${Object.keys(SAMPLERS).join(', ')}, and OTEL_TRACES_SAMPLER_ARG a share from 0 to 1.`;

function tracesUrl(endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const { protocol } = new URL(endpoint);
  return protocol === 'http:' || protocol === 'https:' ? `${endpoint.replace(/\/+$/, '')}/v1/traces` : undefined;
}

function protocolProblems(environment: Environment): string[] {
  return ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']
    .filter((name) => !['', 'http/protobuf'].includes(environment[name] ?? ''))
    .map(
      (name) => `${name} can only be http/protobuf: there is no exporter for gRPC. Most collectors take it on 4318.`,
    );
}

function samplingOf(environment: Environment): TraceSampling | undefined {
  const share = Number(environment['OTEL_TRACES_SAMPLER_ARG'] ?? 1);
  if (!(share >= 0 && share <= 1)) return undefined;
  return SAMPLERS[environment['OTEL_TRACES_SAMPLER'] ?? 'parentbased_always_on']?.(share);
}

/** Parses `name=value[,name=value…]` with percent-encoded values; undefined where it has another form. */
function pairsOf(text = ''): Readonly<Record<string, string>> | undefined {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  const pairs = parts.map((part) => /^\s*([^=\s]+)\s*=(.*)$/.exec(part));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        if (pair === null) throw new URIError('no pair');
        return [pair[1] ?? '', decodeURIComponent((pair[2] ?? '').trim())];
      }),
    );
  } catch {
    return undefined;
  }
}

/** How much load the ingest bench brings; every value from the environment variable of the same name in capitals. */
export interface IngestSettings {
  /** Creates per second of the open loop. */
  readonly rate: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly peakSeconds: number;
  /** Requests under way at once in the closed loop, and connections in both. */
  readonly connections: number;
  /** Actions of the integration that every alert is compared with and that concern none. */
  readonly actions: number;
  readonly gatewayPort: number;
}

const DEFAULTS = {
  RATE: 2_000,
  SECONDS: 60,
  WARM_UP_SECONDS: 10,
  PEAK_SECONDS: 10,
  CONNECTIONS: 64,
  ACTIONS: 0,
  GATEWAY_PORT: 18_480,
};

/** @throws RangeError that names the variable which is not a whole number of at least 1, or 0 for actions. */
export function ingestSettings(environment: Readonly<Record<string, string | undefined>>): IngestSettings {
  const read = (name: keyof typeof DEFAULTS): number => wholeNumber(environment, name, DEFAULTS[name]);
  return {
    rate: read('RATE'),
    seconds: read('SECONDS'),
    warmUpSeconds: read('WARM_UP_SECONDS'),
    peakSeconds: read('PEAK_SECONDS'),
    connections: read('CONNECTIONS'),
    actions: read('ACTIONS'),
    gatewayPort: read('GATEWAY_PORT'),
  };
}

/**
 * The variable `name`, or else `otherwise`.
 *
 * @throws RangeError that names the variable when it is not a whole number of at least 1, or at least 0 where that is the default.
 */
export function wholeNumber(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  otherwise: number,
): number {
  const value = Number(environment[name] ?? otherwise);
  const least = Math.min(1, otherwise);
  if (!Number.isInteger(value) || value < least)
    throw new RangeError(`${name} should be a whole number of at least ${least}.`);
  return value;
}

import type { ServiceName } from '@tocsin/events';

/** The images of a stack, by the names under which an engine has or pulls them. */
export interface Images {
  readonly kafka: string;
  readonly mongo: string;
  readonly prometheus: string;
  of(service: ServiceName): string;
}

/** Gives the images that the environment names, public ones where it names none; services are `<prefix><service>:<tag>`. */
export function imagesOf(environment: Readonly<Record<string, string | undefined>>): Images {
  const named = (variable: string, usual: string): string => {
    const name = environment[variable] ?? '';
    return name === '' ? usual : name;
  };
  const prefix = named('E2E_IMAGE_PREFIX', 'tocsin-');
  const tag = named('E2E_IMAGE_TAG', 'dev');
  return {
    kafka: named('E2E_KAFKA_IMAGE', 'apache/kafka:4.1.1'),
    mongo: named('E2E_MONGO_IMAGE', 'mongo:7.0.32'),
    prometheus: named('E2E_PROMETHEUS_IMAGE', 'prom/prometheus:v3.5.0'),
    of: (service) => `${prefix}${service}:${tag}`,
  };
}

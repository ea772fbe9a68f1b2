import { SERVICES } from '@tocsin/contracts';

/** What Node reads by itself. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'TZ', 'UV_THREADPOOL_SIZE'];
/** Settings of all services. */
const COMMON = ['## Settings of every service', '## Traces'];
const SINGLE = ['## Settings of single services', '### Settings of text messages, calls and pushes'];

/** The names of the settings of each service by docs/operations.md, sorted: the chart refuses others in `env`. */
export function settingsByService(page: string): Readonly<Record<string, readonly string[]>> {
  const common = COMMON.flatMap((heading) => rowsBelow(page, heading).flatMap(([names]) => quoted(names)));
  const single = SINGLE.flatMap((heading) => rowsBelow(page, heading));
  const sentence = /^`(ACCOUNT_NAME)` .*$/m.exec(page);
  return Object.fromEntries(
    SERVICES.map((service) => {
      const own = single
        .filter(([, services = '']) => services.split(', ').includes(service))
        .flatMap(([names]) => quoted(names));
      const said = sentence?.[0].includes(`(${service})`) === true ? ['ACCOUNT_NAME'] : [];
      return [service, [...new Set([...common, ...own, ...said, ...OF_NODE])].toSorted()];
    }),
  );
}

/** The cells of the first table below a heading, without its head. */
function rowsBelow(page: string, heading: string): readonly (readonly string[])[] {
  const from = page.indexOf(`\n${heading}\n`);
  if (from === -1) throw new Error(`There is no heading "${heading}".`);
  const lines = page.slice(from + 1).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
  return lines.slice(first + 2, first + length).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const quoted = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

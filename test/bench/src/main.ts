/** `npm run bench` lists the benches, `npm run bench -- <name>` runs one. docs/benchmarks.md explains them. */

interface Bench {
  readonly about: string;
  readonly run: () => Promise<unknown>;
}

/** By their names. A bench runs as its file is loaded. */
const BENCHES: ReadonlyMap<string, Bench> = new Map([
  ['ingest', { about: 'alerts per second and latencies under load', run: () => import('./ingest.ts') }],
  ['pages', { about: 'pages per second by mail, and the cost of one', run: () => import('./pages.ts') }],
  ['escalation', { about: 'escalations that are due at once', run: () => import('./escalation.ts') }],
  ['storm', { about: 'pages while other keys flood the installation', run: () => import('./storm.ts') }],
  ['overload', { about: 'answers at twice the load that the machine takes', run: () => import('./overload.ts') }],
  ['heartbeats', { about: 'pings, and heartbeats that expire', run: () => import('./heartbeats.ts') }],
  ['search', { about: 'searches in a million alerts', run: () => import('./search.ts') }],
  ['oncall', { about: 'who is on call, in one schedule and in 5000', run: () => import('./oncall.ts') }],
  ['directory', { about: 'pages of 10000 users, and changes of teams', run: () => import('./directory.ts') }],
  ['import', { about: 'fetch and import of an account of Opsgenie', run: () => import('./import.ts') }],
  ['actions', { about: 'the cost of 50 integration actions per alert', run: () => import('./actions.ts') }],
  ['policies', { about: 'the cost of 500 policies per alert', run: () => import('./policies.ts') }],
  ['console', { about: 'the console where 10000 alerts are open', run: () => import('./console.ts') }],
  ['idle', { about: 'memory, CPU and requests of the stack at rest', run: () => import('./idle.ts') }],
]);

const HELP = [
  'npm run bench -- <name> runs one of:',
  ...[...BENCHES].map(([name, { about }]) => `  ${name.padEnd(12)}${about}`),
  'docs/benchmarks.md has what each measures, and its variables.\n',
].join('\n');

const [name = 'help'] = process.argv.slice(2);
const bench = BENCHES.get(name);
if (bench !== undefined) await bench.run();
else if (name === 'help' || name === '--help') process.stdout.write(HELP);
else {
  process.stderr.write(`There is no bench ${name}.\n${HELP}`);
  process.exitCode = 2;
}

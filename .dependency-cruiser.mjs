/** The services whose folders are nouns. Add a service here as it is laid out so. */
const BY_NOUN = '^services/(?:alert-ingest|alert-processor|directory|heartbeat-monitor|notifier|scheduling)/src';
/** The files of a noun that have input or output, by their role. All others of its folder are its types and rules. */
const WITH_IO = '[/-](store|routes|operations|consumer|task|client)[.]ts$';
const TESTS = '[.](test|contract)[.]ts$|/src/testing/';
/** How notifier stores a message: its updates have the types of the driver. */
const STORED = '^services/notifier/src/messages/delivery-document[.]ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Split the shared part out, or pass it as an argument.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-service-to-service',
      severity: 'error',
      comment: 'Services talk over HTTP or Kafka, with packages/events in between.',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'no-package-to-service',
      severity: 'error',
      comment: 'A package never knows who uses it.',
      from: { path: '^packages/' },
      to: { path: '^services/' },
    },
    {
      name: 'rules-and-schemas-are-pure',
      severity: 'error',
      comment: 'Rules, schemas and messages compute: no I/O, no framework. Only api, events, rules and core.',
      from: { path: '^packages/(rules|api|events)/src/', pathNot: '[.]test[.]ts$|/src/testing/' },
      to: {
        pathNot: ['^packages/(rules|api|events|core)/', '^node_modules/(zod|zod-openapi|re2js|temporal-polyfill)/'],
      },
    },
    {
      name: 'the-rules-of-a-noun-are-pure',
      severity: 'error',
      comment:
        'Types and rules of a noun compute, so a test needs nothing but their arguments. Input and output belong into store.ts, routes.ts, operations.ts, consumer.ts, task.ts, client.ts or a folder of their own.',
      from: { path: `${BY_NOUN}/[^/]+/[^/]+$`, pathNot: [WITH_IO, STORED, TESTS] },
      to: {
        path: [
          '^(?!services/|packages/(rules|api|events|core)/|node_modules/(zod|re2js|temporal-polyfill)/)',
          `${BY_NOUN}/[^/]+$`,
          `${BY_NOUN}/[^/]+/[^/]+/`,
          WITH_IO,
        ],
      },
    },
    {
      name: 'stages-of-the-gateway-in-order',
      severity: 'error',
      comment:
        'Request, admission, authentication and rate limit come before the request is forwarded and answered, so they know nothing of that. app.ts has the order.',
      from: { path: '^services/gateway/src/(request|admission|authentication|rate-limit)/', pathNot: TESTS },
      to: { path: '^services/gateway/src/(forward/|answer/|app[.]ts$)|^node_modules/(cors|express|undici)/' },
    },
    {
      name: 'only-stores-talk-to-mongodb',
      severity: 'error',
      comment:
        'The stores of a noun show all its reads and writes. compose.ts opens the connection and creates the indexes, which database.ts may list.',
      from: {
        path: `${BY_NOUN}/`,
        pathNot: [
          '[/-]store[.]ts$',
          '/src/compose[.]ts$',
          '/src/(compose-[a-z]+|database|search-app)[.]ts$',
          STORED,
          TESTS,
        ],
      },
      to: { path: '^(packages/mongo|node_modules/(mongoose|mongodb))/' },
    },
    {
      name: 'no-noun-to-the-store-of-another',
      severity: 'error',
      comment:
        'A noun uses the types and rules of another one. What it needs of its data, compose.ts passes to it. The queue of notifier is common to all its messages.',
      from: { path: `${BY_NOUN}/([^/]+)/`, pathNot: TESTS },
      to: { path: '[/-]store[.]ts$', pathNot: ['/src/$1/', '^services/notifier/src/queue/'] },
    },
    {
      name: 'one-home-per-library',
      severity: 'error',
      comment:
        'kafkajs stays in packages/kafka, so it can be replaced in one place. test/simulation has a double of it.',
      from: { pathNot: ['^packages/kafka/', '^test/bench/', '^test/simulation/src/kafka/', '[.]test[.]ts$'] },
      to: { path: '^node_modules/kafkajs/' },
    },
    {
      name: 'one-home-for-traces',
      severity: 'error',
      comment:
        'OpenTelemetry stays in packages/service/src/observability, which loads it only where something is traced. Take its Tracer.',
      from: { pathNot: '^packages/service/src/observability/' },
      to: { path: '^node_modules/@opentelemetry/' },
    },
    {
      name: 'traces-are-loaded-on-demand',
      severity: 'error',
      comment: 'The libraries take memory: a service that traces nothing does not load them.',
      from: {
        path: '^packages/service/src/observability/',
        pathNot: '/(otel-tracer|linked-sampler|reporting-exporter)[.]ts$',
      },
      to: { path: '^node_modules/@opentelemetry/' },
    },
    {
      name: 'packages-through-the-front-door',
      severity: 'error',
      comment:
        'Import @tocsin/<name>, for tests @tocsin/<name>/testing, @tocsin/api/openapi, or @tocsin/testkit/source-edits, which loads nothing else; never a file inside it.',
      from: { path: '^(services|packages|deploy|test)/([^/]+)/' },
      to: {
        path: '^packages/([^/]+)/src/(?!((testing|openapi)/)?index[.]ts$|source-edits[.]ts$)',
        pathNot: '^packages/$2/',
      },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      comment: 'deploy starts the engines of `npm start` with packages/testkit; no image has it.',
      from: { pathNot: '[.](test|contract)[.]ts$|/src/testing/|^packages/testkit/|^test/|^deploy/' },
      to: { path: '[.](test|contract)[.]ts$|/src/testing/|^packages/testkit/' },
    },
    {
      name: 'mails-are-read-without-packages',
      severity: 'error',
      comment: 'The process that reads mails has little memory, and runs its source as it is, where nothing is built.',
      from: { path: '^services/alert-ingest/src/mail/parser/mail-worker[.]ts$' },
      to: { path: '^packages/', reachable: true },
    },
    {
      name: 'the-command-line-stands-alone',
      severity: 'error',
      comment: 'It is installed from its own package, without the repository.',
      from: { path: '^packages/cli/src/', pathNot: TESTS },
      to: { path: '^(packages/(?!cli/)|services|deploy|test)' },
    },
    {
      name: 'the-console-takes-types-of-the-api',
      severity: 'error',
      comment: 'The page loads no schema. What it knows of the API when it runs, it learns from answers.',
      from: { path: '^packages/console/src/' },
      to: { path: '^packages/(?!console/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-console-knows-only-the-api',
      severity: 'error',
      comment: 'Everything that a person can do, goes through the documented operations.',
      from: { path: '^packages/console/src/' },
      to: { path: '^(packages/(?!console/|api/)|services|deploy|test)' },
    },
    {
      name: 'no-orphans',
      severity: 'warn',
      from: {
        orphan: true,
        pathNot: ['[.]d[.]ts$', 'main[.]ts$', '[.]test[.]ts$', 'jest[.]config[.]js$', '^packages/testkit/jest/'],
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|jest[.]config[.]js$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.depcruise.json' },
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'types', 'default'], exportsFields: ['exports'] },
  },
};

import type { MetricDefinition } from '@tocsin/service';
import { code, type Row, table } from '../markdown.ts';

const HEAD = `# Metrics

Every service serves these on its admin port under \`/metrics\` ([operations](operations.md#health)), with the label \`service\`. The defaults of prom-client (memory, CPU,
lag of the event loop, garbage collection) come with them under their usual names, \`process_…\` and \`nodejs_…\`. [Watch it with Prometheus](how-to/watch-it-with-prometheus.md)
says how to collect them, the [runbook](runbook.md) what to do when one is wrong.

This page is made of \`packages/service/src/observability/catalogue.ts\` by \`npm run generate\`.
`;

/** The page of all metrics, formatted as prettier would. */
export function metricsPage(metrics: Readonly<Record<string, MetricDefinition>>): string {
  const rows = Object.entries(metrics).map(([name, { type, unit, help, labels, services }]) => [
    code(name),
    type,
    unit,
    Object.keys(labels).map(code).join(', ') || 'none',
    services.length === 7 ? 'all' : services.join(', '),
    help,
  ]);
  const bounds = labelRows(metrics);
  const buckets = Object.entries(metrics).flatMap(([name, metric]) =>
    metric.buckets === undefined ? [] : [[code(name), metric.buckets.join(', ')]],
  );
  return [
    HEAD,
    table(['name', 'type', 'unit', 'labels', 'services', 'meaning'], rows),
    '## Values of labels\n\nNo label takes what a caller sent, so the number of series is bounded.\n',
    table(['label', 'values'], bounds),
    '## Buckets\n\nUpper bounds in seconds; one more holds what took longer.\n',
    table(['histogram', 'bounds'], buckets),
  ].join('\n');
}

/** A label of several metrics has a row for each thing that its values mean, with the metrics of which it is so. */
function labelRows(metrics: Readonly<Record<string, MetricDefinition>>): readonly Row[] {
  const meanings = new Map<string, Map<string, string[]>>();
  for (const [metric, { labels }] of Object.entries(metrics))
    for (const [label, bound] of Object.entries(labels)) {
      const of = meanings.get(label) ?? new Map<string, string[]>();
      meanings.set(label, of.set(bound, [...(of.get(bound) ?? []), metric]));
    }
  return [...meanings]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([label, of]) =>
      [...of].map(([bound, names]) => [
        code(label),
        of.size === 1 ? bound : `${bound} (${names.map(code).join(', ')})`,
      ]),
    );
}

/** One question that a dashboard answers. */
export interface Panel {
  readonly title: string;
  /** How to read it. */
  readonly description: string;
  /** Of Grafana: `s`, `reqps`, `short`, `percentunit`, `bytes`. */
  readonly unit: string;
  /** Each expression by the legend of its lines. */
  readonly lines: Readonly<Record<string, string>>;
  readonly kind?: 'timeseries' | 'stat';
}

/** One page of panels. */
export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' } as const;
/** Selects the installations that the user chose on the dashboard. */
export const INSTALLATION = 'namespace=~"$namespace",release=~"$release"';
const COLUMNS = 2;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;

/** The JSON that Grafana imports. The order of the panels is that of reading. */
export function grafanaJson({ uid, title, panels }: Dashboard): string {
  const dashboard = {
    uid,
    title,
    tags: ['tocsin'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        variable('namespace', 'label_values(tocsin_build_info, namespace)'),
        variable('release', 'label_values(tocsin_build_info{namespace=~"$namespace"}, release)'),
        variable('service', `label_values(tocsin_build_info{${INSTALLATION}}, service)`),
        variable('instance', `label_values(tocsin_build_info{${INSTALLATION},service=~"$service"}, instance)`),
      ],
    },
    panels: panels.map(panelJson),
  };
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}

function variable(name: string, query: string): object {
  return {
    name,
    type: 'query',
    datasource: DATASOURCE,
    query,
    refresh: 2,
    includeAll: true,
    allValue: '.*',
    multi: true,
    current: { text: 'All', value: '$__all' },
  };
}

function panelJson({ title, description, unit, lines, kind = 'timeseries' }: Panel, index: number): object {
  return {
    id: index + 1,
    type: kind,
    title,
    description,
    datasource: DATASOURCE,
    gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: unit === 'short' ? null : 0 }, overrides: [] },
    targets: Object.entries(lines).map(([legendFormat, expr], line) => ({
      refId: String.fromCodePoint(65 + line),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  };
}

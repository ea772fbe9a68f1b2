import { describe, expect, it } from '@jest/globals';
import { grafanaJson } from './dashboard.ts';
import { DASHBOARDS } from './dashboards.ts';

interface Panels {
  readonly schemaVersion: number;
  readonly panels: readonly {
    readonly id: number;
    readonly description: string;
    readonly fieldConfig: { readonly defaults: { readonly unit: string } };
    readonly targets: readonly { readonly refId: string; readonly datasource: { readonly uid: string } }[];
  }[];
}

describe('the dashboards', () => {
  it.each(Object.keys(DASHBOARDS))(
    '%s says of each panel what it shows and in which unit, from any data source',
    (name) => {
      const dashboard = DASHBOARDS[name];
      if (dashboard === undefined) throw new Error(name);
      const { schemaVersion, panels } = JSON.parse(grafanaJson(dashboard)) as Panels;
      expect(schemaVersion).toBeGreaterThanOrEqual(39);
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      for (const { description, fieldConfig, targets } of panels) {
        expect(description).toMatch(/\.$/);
        expect(fieldConfig.defaults.unit).toMatch(/\w/);
        expect(targets.length).toBeGreaterThan(0);
        for (const { datasource } of targets) expect(datasource.uid).toBe('${datasource}');
      }
    },
  );

  it('begin with the latency of alerts, and differ in their ids', () => {
    expect(DASHBOARDS['overview']?.panels[0]?.title).toBe('Accepted to handed over');
    expect(new Set(Object.values(DASHBOARDS).map(({ uid }) => uid)).size).toBe(5);
  });
});

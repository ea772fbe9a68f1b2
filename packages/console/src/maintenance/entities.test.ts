import { describe, expect, test } from '@jest/globals';
import { foundEntities, ownersOf, ruleText } from './entities.ts';
import type { Entity, Rule } from './queries.ts';

const prometheus: Entity = { type: 'integration', id: 'i1', name: 'Prometheus', teamId: 't1' };
const grafana: Entity = { type: 'integration', id: 'i2', name: 'Grafana', teamId: undefined };
const night: Entity = { type: 'policy', id: 'p1', name: 'Night', teamId: 't1' };
const all = [night, prometheus, grafana];

const rule = ({ id, type }: Pick<Entity, 'id' | 'type'>, state: Rule['state'] = 'disabled'): Rule => ({
  entity: { id, type },
  state,
});

describe('what a window names', () => {
  test('A rule says what is off or on, and of what the page does not know the id.', () => {
    expect(ruleText(rule(prometheus), all)).toBe('Integration: Prometheus is disabled');
    expect(ruleText(rule(night, 'enabled'), all)).toBe('Policy: Night is enabled');
    expect(ruleText(rule({ type: 'policy', id: 'i1' }), all)).toBe('Policy: i1 is disabled');
  });

  test('Its owners are each named once, and what is deleted has none.', () => {
    expect(ownersOf([rule(prometheus), rule(night), rule({ type: 'policy', id: 'gone' })], all)).toEqual(['t1']);
    expect(ownersOf([rule(grafana)], all)).toEqual([undefined]);
  });

  test('It is found by its name or kind, integrations first.', () => {
    expect(foundEntities(all, '').map(({ name }) => name)).toEqual(['Grafana', 'Prometheus', 'Night']);
    expect(foundEntities(all, ' pro').map(({ name }) => name)).toEqual(['Prometheus']);
    expect(foundEntities(all, 'policy').map(({ name }) => name)).toEqual(['Night']);
  });
});

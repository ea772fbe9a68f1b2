import { describe, expect, test } from '@jest/globals';
import { heartbeatNote, ownedBy, ruleNote } from './owned.ts';

describe('what a team owns', () => {
  test('It is what names the team as its owner.', () => {
    const [own, other, none] = [{ ownerTeam: { id: 'sre' } }, { ownerTeam: { id: 'web' } }, {}];

    expect(ownedBy('sre', [own, other, none])).toEqual([own]);
  });
});

describe('the note of a routing rule', () => {
  const to = { type: 'schedule', id: '1', name: 'Nights' } as const;

  test('It says where alerts go, and that the default rule takes the others.', () => {
    expect(ruleNote({ isDefault: false, notify: to })).toBe('to schedule Nights');
    expect(ruleNote({ isDefault: true, notify: to })).toBe('all other alerts to schedule Nights');
  });

  test('It says that a rule pages no one, or leads to what was deleted.', () => {
    expect(ruleNote({ isDefault: false, notify: { type: 'none' } })).toBe('to no one');
    expect(ruleNote({ isDefault: false, notify: { type: 'escalation', id: '1' } })).toBe(
      'to escalation that was deleted',
    );
  });
});

describe('the note of a heartbeat', () => {
  const lastPingTime = '2026-03-02T00:00:00Z';

  test.each([
    [{ enabled: false, expired: true, lastPingTime }, 'disabled'],
    [{ enabled: true, expired: false }, 'no ping yet'],
    [{ enabled: true, expired: true, lastPingTime }, 'expired'],
    [{ enabled: true, expired: false, lastPingTime }, 'its pings come'],
  ])('%j: %s', (heartbeat, note) => {
    expect(heartbeatNote(heartbeat)).toBe(note);
  });
});

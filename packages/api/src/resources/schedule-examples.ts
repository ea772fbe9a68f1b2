/** The common parts of the examples of scheduling. */
const schedule = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e14', name: 'Database nights' };
const nights = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e15', name: 'Nights' };
const ada = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e16', username: 'ada@example.com' };
const grace = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e17', username: 'grace@example.com' };
const restriction = {
  type: 'time-of-day',
  restriction: { startHour: 20, startMin: 0, endHour: 8, endMin: 0 },
};

const turns = { startDate: '2026-01-05T20:00:00Z', type: 'weekly', length: 1 };

export const EXAMPLES = {
  schedule,
  parent: { ...schedule, enabled: true },
  nights,
  ada,
  grace,
  /** As it is written. */
  rotationBody: {
    name: nights.name,
    ...turns,
    participants: [
      { type: 'user', username: ada.username },
      { type: 'user', username: grace.username },
    ],
    timeRestriction: restriction,
  },
  /** As it is read. */
  rotation: {
    ...nights,
    ...turns,
    participants: [
      { type: 'user', ...ada },
      { type: 'user', ...grace },
    ],
    timeRestriction: restriction,
  },
  week: { startDate: '2026-01-12T08:00:00Z', endDate: '2026-01-19T08:00:00Z' },
} as const;

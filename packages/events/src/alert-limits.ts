/** The limits of an alert's fields in code points and items (part 1, section 8; E8). */
export const ALERT_LIMITS = {
  message: 130,
  alias: 512,
  description: 15_000,
  entity: 512,
  source: 100,
  user: 100,
  note: 25_000,
  responders: 50,
  visibleTo: 50,
  actions: 10,
  actionLength: 50,
  tags: 20,
  tagLength: 50,
  /** Keys and values together. */
  details: 8_000,
} as const;

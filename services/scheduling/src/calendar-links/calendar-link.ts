/** The link to the calendar of a user (S16). Its token is kept as a hash alone. */
export interface CalendarLink {
  readonly userId: string;
  /** Unique. */
  readonly tokenHash: string;
  readonly createdAt: Date;
}

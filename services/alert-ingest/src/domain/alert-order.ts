import type { AlertCommand } from '@tocsin/contracts';

type Ordered = Exclude<AlertCommand, { kind: 'create' | 'reset-recipient-states' }>;
type Common = 'requestId' | 'identifier' | 'integration' | 'actor' | 'source' | 'note' | 'matchedAction' | 'acceptedAt';
type Own<C> = C extends Ordered ? Omit<C, Common> : never;

/** What a command orders about an alert that is there, apart from who orders it and when. */
export type AlertOrder = Own<Ordered>;

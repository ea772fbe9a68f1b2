import { isSentInShadow, type SentKind, type ShadowState } from '../shadow/shadow.ts';
import type { ShadowGate } from '../shadow/operations.ts';

/** A process that knows a state of the switch, which a test may change. */
export const shadowThatIs = (
  state: ShadowState,
): Pick<ShadowGate, 'holdsBack' | 'maySend'> & { state: ShadowState } => ({
  state,
  holdsBack(kind: SentKind): boolean {
    return this.state === 'on' && !isSentInShadow(kind);
  },
  maySend(kind: SentKind): boolean {
    return this.state === 'off' || (this.state === 'on' && isSentInShadow(kind));
  },
});

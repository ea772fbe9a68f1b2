import { CodeSealer } from '@tocsin/http';
import type {
  ContactVerificationNotice,
  InvitationNotice,
  ReadinessNotice,
  SignInNotice,
  SubscriptionEndedNotice,
} from '@tocsin/events';

const codeSealer = new CodeSealer(['a signing key of at least thirty-two characters']);

/** Opens the codes of these samples. */
export const openCode = (noticeId: string, sealed: string): string => codeSealer.open(noticeId, sealed);

/** A sample is the same each time, and so is its sealed code. */
const sealedCodes = new Map<string, string>();
function sealed(noticeId: string, code: string): string {
  const key = `${noticeId} ${code}`;
  const known = sealedCodes.get(key) ?? codeSealer.seal(noticeId, code);
  sealedCodes.set(key, known);
  return known;
}

/** Ada's invitation, for tests. */
export const invitation = (change: Partial<InvitationNotice> = {}): InvitationNotice => ({
  kind: 'invitation',
  noticeId: 'n1',
  userId: 'ada',
  username: 'ada@example.com',
  at: '2026-01-01T00:00:00.000Z',
  to: 'ada@example.com',
  fullName: 'Ada',
  locale: 'en_US',
  invitedBy: 'owner@example.com',
  accountName: 'Ops of Example',
  url: 'https://tocsin.example.com',
  ...change,
});

/** The code for Ada's second address, for tests. */
export const verification = ({
  code = '314159',
  ...change
}: Partial<ContactVerificationNotice> = {}): ContactVerificationNotice => ({
  kind: 'contact-verification',
  noticeId: 'n2',
  userId: 'ada',
  username: 'ada@example.com',
  at: '2026-01-01T00:00:00.000Z',
  contactId: 'c2',
  method: 'email',
  to: 'ada@example.org',
  code: sealed(change.noticeId ?? 'n2', code),
  expiresAt: '2026-01-01T00:10:00.000Z',
  ...change,
});

/** The code with which Ada signs in, for tests. */
export const signInCode = ({ code = '27182818', ...change }: Partial<SignInNotice> = {}): SignInNotice => ({
  kind: 'sign-in',
  noticeId: 'n3',
  userId: 'ada',
  username: 'ada@example.com',
  at: '2026-01-01T00:00:00.000Z',
  to: 'ada@example.com',
  code: sealed(change.noticeId ?? 'n3', code),
  browser: 'Firefox on Linux',
  address: '192.0.2.7',
  expiresAt: '2026-01-01T00:10:00.000Z',
  ...change,
});

/** The mail to Ada that her phone is no longer subscribed, for tests. */
export const endedSubscription = (): SubscriptionEndedNotice => ({
  kind: 'subscription-ended',
  noticeId: 'ended:browser-1',
  userId: 'ada',
  username: 'ada@example.com',
  at: '2026-01-01T00:00:00.000Z',
  to: 'ada@example.com',
  deviceName: 'Firefox on Android',
});

/** The weekly mail of readiness to Ada, for tests. */
export const readinessMail = (): ReadinessNotice => ({
  kind: 'readiness',
  noticeId: 'readiness:ada:2026-01-01T00:00:00.000Z',
  userId: 'ada',
  username: 'ada@example.com',
  at: '2026-01-01T00:00:00.000Z',
  to: 'ada@example.com',
  totalCount: 3,
  errorCount: 1,
  incompleteServices: ['alert-ingest'],
  findings: [
    { severity: 'error', message: 'No user is on call in schedule [Nights].', remedy: 'Add a rotation.' },
    { severity: 'warning', message: 'Rotation [Days] has one user.', remedy: 'Add a second user.' },
  ],
});

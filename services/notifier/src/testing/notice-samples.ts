import type { ContactVerificationNotice, InvitationNotice, SignInNotice } from '@tocsin/events';

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
export const verification = (change: Partial<ContactVerificationNotice> = {}): ContactVerificationNotice => ({
  kind: 'contact-verification',
  noticeId: 'n2',
  userId: 'ada',
  username: 'ada@example.com',
  at: '2026-01-01T00:00:00.000Z',
  contactId: 'c2',
  method: 'email',
  to: 'ada@example.org',
  code: '314159',
  expiresAt: '2026-01-01T00:10:00.000Z',
  ...change,
});

/** The code with which Ada signs in, for tests. */
export const signInCode = (change: Partial<SignInNotice> = {}): SignInNotice => ({
  kind: 'sign-in',
  noticeId: 'n3',
  userId: 'ada',
  username: 'ada@example.com',
  at: '2026-01-01T00:00:00.000Z',
  to: 'ada@example.com',
  code: '27182818',
  expiresAt: '2026-01-01T00:10:00.000Z',
  ...change,
});

import {
  formatInstant,
  type ContactVerificationNotice,
  type InvitationNotice,
  type NoticeCommand,
} from '@tocsin/contracts';
import type { Content, Sender } from './content.ts';

/**
 * What a notice says. Where the installation is comes from its settings alone: what a notice says of that may be what its caller
 * has made up.
 */
export const noticeContent = (notice: NoticeCommand, sender: Sender): Content =>
  notice.kind === 'invitation' ? invitation(notice, sender) : verification(notice, sender);

/** Who invited, where, and what address is paged (U11). */
function invitation(
  { accountName, fullName, invitedBy, to, username }: InvitationNotice,
  { publicUrl }: Sender,
): Content {
  const title = `${invitedBy} invites you to ${accountName}`;
  return {
    title,
    short: title,
    spoken: title,
    blocks: [
      { kind: 'text', lines: [`Hello ${fullName},`] },
      { kind: 'text', lines: [`${invitedBy} has made you a user of ${accountName}, which tells people of alerts.`] },
      {
        kind: 'facts',
        rows: [
          ...(publicUrl === undefined ? [] : ([['Where', publicUrl]] as const)),
          ['Your user name', username],
          ['Alerts are sent to', to],
        ],
      },
    ],
  };
}

/** The title tells nothing: mail servers write subjects into their logs. A voice says the code digit by digit (U3). */
function verification(
  { code, expiresAt, method, to, username }: ContactVerificationNotice,
  { accountName }: Sender,
): Content {
  const until = formatInstant(new Date(expiresAt));
  return {
    title: 'Your verification code',
    short: `${code} is your verification code for ${accountName}, until ${until}.`,
    spoken: `Your verification code is ${code.replaceAll(/(?<=.)(?=.)/g, ', ')}.`,
    blocks: [
      { kind: 'text', lines: [`The code that confirms the ${method} contact ${to} of ${username}:`] },
      { kind: 'code', text: code },
      { kind: 'text', lines: [`It is of use until ${until}. If you did not ask for it, you need not do anything.`] },
    ],
  };
}

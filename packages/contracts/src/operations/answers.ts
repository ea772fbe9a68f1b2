import { SMALL_BODY, type Operation } from './operation.ts';

/** Whoever was told of an alert answers: the path is signed, and a limit holds their address (U9, U14). Ours. */
const link = { right: 'link', domain: 'alert', owner: 'notifier' } as const;

const ACKNOWLEDGE = '/acknowledge/{token}';

/** What people do by the messages that they get. */
export const ANSWER_OPERATIONS = [
  {
    ...link,
    id: 'show-acknowledgement',
    method: 'GET',
    path: ACKNOWLEDGE,
    summary: 'Shows the page of an acknowledge link, and changes nothing',
  },
  {
    ...link,
    ...SMALL_BODY,
    id: 'acknowledge-by-link',
    method: 'POST',
    path: ACKNOWLEDGE,
    summary: 'Acknowledges the alert of an acknowledge link',
  },
] as const satisfies readonly Operation[];

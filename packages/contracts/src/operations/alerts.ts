import type { Operation } from './operation.ts';

const command = { right: 'write', domain: 'alert', owner: 'alert-ingest' } as const;
const read = { right: 'read', domain: 'alert', owner: 'alert-processor' } as const;
const write = { right: 'write', domain: 'alert', owner: 'alert-processor' } as const;
const search = { right: 'read', domain: 'search', owner: 'alert-processor' } as const;
const searchWrite = { right: 'write', domain: 'search', owner: 'alert-processor' } as const;

const ALERT = '/v2/alerts/{identifier}';
const SAVED_SEARCH = '/v2/alerts/saved-searches/{identifier}';
const USER_SAVED_SEARCH = '/v2/users/saved-searches/{identifier}';

/** Part 1, 4.1 and wire facts 4: what changes an alert is accepted by ingest, what reads one is answered by the processor. */
export const ALERT_OPERATIONS = [
  { ...command, id: 'create-alert', method: 'POST', path: '/v2/alerts', summary: 'Creates an alert' },
  { ...command, id: 'delete-alert', method: 'DELETE', path: ALERT, summary: 'Deletes an alert' },
  {
    ...command,
    id: 'acknowledge-alert',
    method: 'POST',
    path: `${ALERT}/acknowledge`,
    summary: 'Acknowledges an alert',
  },
  {
    ...command,
    id: 'unacknowledge-alert',
    method: 'POST',
    path: `${ALERT}/unacknowledge`,
    summary: 'Takes an acknowledgement back',
  },
  { ...command, id: 'close-alert', method: 'POST', path: `${ALERT}/close`, summary: 'Closes an alert' },
  { ...command, id: 'snooze-alert', method: 'POST', path: `${ALERT}/snooze`, summary: 'Silences an alert for a while' },
  {
    ...command,
    id: 'escalate-alert',
    method: 'POST',
    path: `${ALERT}/escalate`,
    summary: 'Runs the next escalation rule',
  },
  { ...command, id: 'assign-alert', method: 'POST', path: `${ALERT}/assign`, summary: 'Sets the owner of an alert' },
  { ...command, id: 'add-responder', method: 'POST', path: `${ALERT}/responders`, summary: 'Adds a responder' },
  { ...command, id: 'add-responder-team', method: 'POST', path: `${ALERT}/teams`, summary: 'Adds a team as responder' },
  { ...command, id: 'add-tags', method: 'POST', path: `${ALERT}/tags`, summary: 'Adds tags' },
  { ...command, id: 'remove-tags', method: 'DELETE', path: `${ALERT}/tags`, summary: 'Removes tags' },
  { ...command, id: 'add-details', method: 'POST', path: `${ALERT}/details`, summary: 'Adds custom properties' },
  {
    ...command,
    id: 'remove-details',
    method: 'DELETE',
    path: `${ALERT}/details`,
    summary: 'Removes custom properties',
  },
  {
    ...command,
    id: 'execute-custom-action',
    method: 'POST',
    path: `${ALERT}/actions/{actionName}`,
    summary: 'Executes a custom action that the alert lists',
  },
  { ...command, id: 'add-note', method: 'POST', path: `${ALERT}/notes`, summary: 'Adds a note' },
  { ...command, id: 'update-message', method: 'PUT', path: `${ALERT}/message`, summary: 'Changes the message' },
  {
    ...command,
    id: 'update-description',
    method: 'PUT',
    path: `${ALERT}/description`,
    summary: 'Changes the description',
  },
  { ...command, id: 'update-priority', method: 'PUT', path: `${ALERT}/priority`, summary: 'Changes the priority' },

  { ...search, id: 'list-alerts', method: 'GET', path: '/v2/alerts', summary: 'Lists or searches alerts' },
  { ...search, id: 'count-alerts', method: 'GET', path: '/v2/alerts/count', summary: 'Counts alerts' },
  { ...read, id: 'get-alert', method: 'GET', path: ALERT, summary: 'Reads an alert' },
  {
    ...read,
    id: 'get-request-status',
    method: 'GET',
    path: '/v2/alerts/requests/{requestId}',
    summary: 'Tells what became of an accepted request',
  },
  { ...read, id: 'list-notes', method: 'GET', path: `${ALERT}/notes`, summary: 'Lists the notes of an alert' },
  { ...read, id: 'list-alert-logs', method: 'GET', path: `${ALERT}/logs`, summary: 'Lists the log of an alert' },
  {
    ...read,
    id: 'list-alert-recipients',
    method: 'GET',
    path: `${ALERT}/recipients`,
    summary: 'Lists who was told about an alert',
  },
  {
    ...read,
    id: 'explain-alert',
    method: 'GET',
    path: `${ALERT}/explanation`,
    summary: 'Explains why who was told about an alert',
  },

  {
    ...search,
    right: 'read-configuration',
    id: 'simulate-alert',
    method: 'POST',
    path: '/v2/alerts/simulate',
    summary: 'Tells who would be told of an alert, when and how, and does nothing',
  },
  {
    ...write,
    id: 'add-attachment',
    method: 'POST',
    path: `${ALERT}/attachments`,
    transfer: 'upload',
    summary: 'Attaches a file',
  },
  { ...read, id: 'list-attachments', method: 'GET', path: `${ALERT}/attachments`, summary: 'Lists attached files' },
  {
    ...read,
    id: 'get-attachment',
    method: 'GET',
    path: `${ALERT}/attachments/{attachmentId}`,
    summary: 'Gives a link to an attached file',
  },
  {
    ...write,
    id: 'delete-attachment',
    method: 'DELETE',
    path: `${ALERT}/attachments/{attachmentId}`,
    summary: 'Deletes an attached file',
  },
  {
    ...read,
    id: 'download-attachment',
    method: 'GET',
    path: '/v2/attachments/{token}',
    right: 'link',
    transfer: 'download',
    summary: 'Gives an attached file to whoever holds its link',
  },

  {
    ...searchWrite,
    id: 'create-saved-search',
    method: 'POST',
    path: '/v2/alerts/saved-searches',
    summary: 'Saves a search',
  },
  {
    ...search,
    id: 'list-saved-searches',
    method: 'GET',
    path: '/v2/alerts/saved-searches',
    summary: 'Lists saved searches',
  },
  { ...search, id: 'get-saved-search', method: 'GET', path: SAVED_SEARCH, summary: 'Reads a saved search' },
  { ...searchWrite, id: 'update-saved-search', method: 'PATCH', path: SAVED_SEARCH, summary: 'Changes a saved search' },
  {
    ...searchWrite,
    id: 'delete-saved-search',
    method: 'DELETE',
    path: SAVED_SEARCH,
    summary: 'Deletes a saved search',
  },
  {
    ...search,
    id: 'list-user-saved-searches',
    method: 'GET',
    path: '/v2/users/saved-searches',
    summary: 'Lists the saved searches of users',
  },
  {
    ...search,
    id: 'get-user-saved-search',
    method: 'GET',
    path: USER_SAVED_SEARCH,
    summary: 'Reads a saved search of a user',
  },
  {
    ...searchWrite,
    id: 'delete-user-saved-search',
    method: 'DELETE',
    path: USER_SAVED_SEARCH,
    summary: 'Deletes a saved search of a user',
  },
] as const satisfies readonly Operation[];

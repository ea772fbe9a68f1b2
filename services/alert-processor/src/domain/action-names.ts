import type { AlertCommand } from '@tocsin/contracts';

/** The names of commands in request statuses and recipient lists (wire facts, section 3). */
export const ACTION_NAMES = {
  create: 'Create',
  acknowledge: 'Acknowledge',
  close: 'Close',
  'add-note': 'Add Note',
  'reset-recipient-states': 'Reset Recipient States',
  unacknowledge: 'Unacknowledge',
  snooze: 'Snooze',
  delete: 'Delete',
  assign: 'Assign',
  'add-responder': 'Add Responder',
  'add-team': 'Add Team',
  escalate: 'Escalate',
  'add-tags': 'Add Tags',
  'remove-tags': 'Remove Tags',
  'add-details': 'Add Details',
  'remove-details': 'Remove Details',
  'execute-action': 'Custom Action',
  'update-message': 'Update Message',
  'update-description': 'Update Description',
  'update-priority': 'Update Priority',
} as const satisfies Record<AlertCommand['kind'], string>;

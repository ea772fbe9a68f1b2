/** An error that ends a command. Its message is all that the user at the terminal needs. */
export class TroubleError extends Error {
  override readonly name = 'TroubleError';
}

/** The message for the terminal: of a trouble that we understand its text alone, else with the place it came from. */
export function explained(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const understood = ['TroubleError', 'MissingPartError'].includes(error.name) || isFullDisk(error);
  return understood ? error.message : (error.stack ?? error.message);
}

/** Whether something could not be written because the disk is full. */
export function isFullDisk(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC';
}

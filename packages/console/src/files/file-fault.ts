/** The most bytes of a file of an alert (A13). */
export const MAX_FILE_BYTES = 50 * 1_024 * 1_024;

/** Why a file cannot be attached; undefined where it can. */
export const fileFault = ({ size }: Pick<File, 'size'>): string | undefined =>
  size > MAX_FILE_BYTES ? 'The file has more than 50 MiB. Choose a smaller one.' : undefined;

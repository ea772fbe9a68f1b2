/** Tells whoever runs the service what happened; never a secret or an address. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
}

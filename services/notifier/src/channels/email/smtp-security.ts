interface SmtpAccess {
  readonly smtpUrl: string;
  readonly smtpUsername?: string | undefined;
  readonly smtpTls: 'auto' | 'required' | 'off';
}

/** Whether what is said to this host stays on this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/** Whether a login is to go over the network without TLS, because the settings say so. */
export function isInTheClear({ smtpTls, smtpUrl, smtpUsername }: SmtpAccess): boolean {
  const { hostname, protocol } = new URL(smtpUrl);
  return smtpUsername !== undefined && smtpTls === 'off' && protocol === 'smtp:' && !isLoopback(hostname);
}

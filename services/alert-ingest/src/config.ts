import { OnExcess } from '@tocsin/api';
import { isKeyShaped } from '@tocsin/http';
import { AddressRangesSetting, serviceConfig } from '@tocsin/service';
import { z } from 'zod';

export const Config = serviceConfig({
  /** The key of `Default API` at the first start; without one a key is made and shown once at the terminal (K5). */
  BOOTSTRAP_API_KEY: z.string().trim().refine(isKeyShaped, 'should be a UUID').optional(),
  /** Whether lists and details over their limit are refused or cut (E8). */
  INGEST_ON_EXCESS: OnExcess.default('reject'),
  /** How long a key works on after it was replaced, in minutes; at most 30 days. */
  KEY_ROTATION_OVERLAP_MINUTES: z.coerce.number().int().min(0).max(43_200).default(60),
  /** The domain of the addresses of e-mail integrations (P10). */
  EMAIL_DOMAIN: z
    .string()
    .trim()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i, 'should be a domain such as alerts.example.com')
    .default('alerts.localhost'),
  /** The port on which mail to those addresses is received by SMTP; without it none is. */
  SMTP_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** The address to listen at; that of HTTP (`HOST`) unless given. */
  SMTP_HOST: z.string().min(1).optional(),
  /** From where mail is taken, such as the addresses of a mail server in front; from everywhere unless given. */
  SMTP_ALLOWED_RANGES: AddressRangesSetting,
  /** Files with a certificate and its key, in PEM; STARTTLS is offered with both. */
  SMTP_TLS_CERT_FILE: z.string().min(1).optional(),
  SMTP_TLS_KEY_FILE: z.string().min(1).optional(),
  /** How many requests of tools are kept of each integration, to be looked at (Q8); 0 keeps none. */
  WEBHOOK_SAMPLES: z.coerce.number().int().min(0).max(100).default(20),
  /** Addresses beside the public internet at which Amazon SNS may be, such as those of an endpoint in a VPC (Q6). */
  OUTGOING_ALLOWED_RANGES: AddressRangesSetting,
  /** A folder with presets for requests of tools, beside those that come with Tocsin. */
  WEBHOOK_PRESETS_DIR: z.string().min(1).optional(),
  /** Integration types to accept besides the known ones, separated by commas (P12). */
  EXTRA_INTEGRATION_TYPES: z
    .string()
    .default('')
    .transform((types) =>
      types
        .split(',')
        .map((type) => type.trim())
        .filter((type) => type !== ''),
    ),
}).superRefine(({ smtpTlsCertFile, smtpTlsKeyFile }, context) => {
  const needed = 'is needed beside the other one: a certificate needs its key';
  if (smtpTlsCertFile !== undefined && smtpTlsKeyFile === undefined)
    context.addIssue({ code: 'custom', path: ['SMTP_TLS_KEY_FILE'], message: needed });
  if (smtpTlsCertFile === undefined && smtpTlsKeyFile !== undefined)
    context.addIssue({ code: 'custom', path: ['SMTP_TLS_CERT_FILE'], message: needed });
});
export type Config = z.infer<typeof Config>;

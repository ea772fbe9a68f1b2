import type { SpanExport } from './otel-tracer.ts';
import type { TraceSettings } from './trace-settings.ts';
import { NO_TRACER, type Tracer } from './tracer.ts';

export interface OpenTracer extends Omit<SpanExport, 'settings'> {
  /** Without them nothing is traced. */
  readonly settings: TraceSettings | undefined;
}

/** The tracer of one service. Loads the libraries of OpenTelemetry, which take memory, only where something is traced. */
export async function openTracer({ settings, ...rest }: OpenTracer): Promise<Tracer> {
  if (settings === undefined) return NO_TRACER;
  const { OtelTracer } = await import('./otel-tracer.ts');
  return OtelTracer.exporting({ settings, ...rest });
}

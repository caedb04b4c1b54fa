/** The severity of an alarm, as the API names it. */
export type Severity = 'critical' | 'warning' | 'info';

/** The severities with their numbers, which their shapes carry: 1 is the worst. */
export const severityNumbers = { critical: 1, warning: 2, info: 3 } as const satisfies Readonly<Record<Severity, number>>;

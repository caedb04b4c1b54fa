import { language } from '#page/core/preferences.ts';
import { languages } from '#page/i18n/languages.ts';

/** Formats the day at an instant in the time zone of a report, which may be another one than that of the view: `Sat 21 Nov`. */
export function formatReportDay(timeMs: number, timeZone: string): string {
	const { locale } = languages[language.value];
	return new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(timeMs);
}

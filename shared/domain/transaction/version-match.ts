import { DomainError } from '../errors.ts';

/** The versions that a client means to change: any that is stored, one of several, or whatever there is (null). */
export type VersionMatch = null | 'any' | readonly number[];

/** Throws `version_mismatch` unless the stored row (null: none) is one that the client means. */
export function checkVersion(match: VersionMatch, stored: { readonly version: number } | null): void {
	if (match === null) return;
	if (stored !== null && (match === 'any' || match.includes(stored.version))) return;
	throw new DomainError('version_mismatch', { stored: stored?.version ?? null });
}

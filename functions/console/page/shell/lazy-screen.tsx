import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadPart } from '#page/core/load.ts';
import { succeededAt } from '#page/core/poll.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { laterStyles } from './later-styles.ts';
import { shellText } from './texts.ts';

/**
 * Creates a component that loads the code and the styles of a screen when it is first shown. If loading fails, it says so, offers to load
 * the page again, and tries again whenever values were read.
 * @param Meanwhile the content until the screen is loaded; needed if content that is already shown may stay
 * @example const Trend = lazyScreen(async () => (await import('./screens/trend/trend.tsx')).Trend);
 */
export function lazyScreen<Props extends object>(
	load: () => Promise<ComponentType<Props>>,
	Meanwhile?: ComponentType<Props>,
): ComponentType<Props> {
	const loaded = signal<ComponentType<Props> | null>(null);
	const hasFailed = signal(false);
	let isLoading = false;
	const start = async (): Promise<void> => {
		if (isLoading || loaded.peek() !== null) return;
		isLoading = true;
		try {
			[loaded.value] = await loadPart(() => Promise.all([load(), laterStyles()]));
		} catch {
			hasFailed.value = true;
		}
		isLoading = false;
	};
	return function LazyScreen(props: Props) {
		if (!hasFailed.value) void start();
		// After each reading of values, which shows that the service can be reached.
		useEffect(() => succeededAt.subscribe(() => void start()), []);
		const Screen = loaded.value;
		if (Screen !== null) return <Screen {...props} />;
		if (!hasFailed.value) return Meanwhile === undefined ? null : <Meanwhile {...props} />;
		// After a deployment the file is gone. Then only loading the page anew helps.
		return (
			<Banner look="error" action={<Button onClick={() => location.reload()}>{shellText().loadAgain}</Button>}>
				{shellText().loadFailed}
			</Banner>
		);
	};
}

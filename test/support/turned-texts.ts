/**
 * Returns the texts in which a name from right to left turns what follows it: a digit that stands left of a name before it in the same
 * block, or that follows a name in a title, a label or an option without a mark between them. Runs in the page.
 */
export const turnedTexts = `{
	const found = [];
	const rtl = /[\u0590-\u08ff]/;
	let last = null;
	const walker = document.createTreeWalker(document.querySelector('#console'), NodeFilter.SHOW_TEXT);
	for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
		if (node.parentElement.closest('option, textarea, .sr') !== null || !node.parentElement.checkVisibility()) continue;
		let block = node.parentElement;
		while (getComputedStyle(block).display === 'inline') block = block.parentElement;
		for (let index = 0; index < node.data.length; index += 1) {
			const isName = rtl.test(node.data[index]);
			if (!isName && !/[0-9]/.test(node.data[index])) continue;
			const range = document.createRange();
			range.setStart(node, index);
			range.setEnd(node, index + 1);
			const rect = range.getBoundingClientRect();
			if (rect.width === 0) continue;
			if (isName) last = { block, rect };
			else if (last?.block === block && Math.abs(last.rect.top - rect.top) < 4 && rect.left < last.rect.left) found.push(block.textContent.slice(0, 80));
		}
	}
	const reversed = /[\u0590-\u08ff][^\u2069]*[0-9]/;
	for (const element of document.querySelectorAll('#console *')) {
		const texts = [element.getAttribute('title'), element.getAttribute('aria-label'), element.getAttribute('placeholder')];
		if (element.matches('option, svg text')) texts.push(element.textContent);
		for (const text of texts) if (text !== null && reversed.test(text)) found.push(element.tagName + ': ' + text.slice(0, 80));
	}
	[...new Set(found)];
}`;

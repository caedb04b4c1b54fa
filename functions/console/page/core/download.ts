/** How long the address of a file stays valid. The browser starts the download some time after the click. */
const addressLifeMs = 1000;

/** Lets the browser save a table as a CSV file. */
export function downloadCsv(name: string, csv: string): void {
	downloadFile(name, new Blob([csv], { type: 'text/csv;charset=utf-8' }));
}

/** Lets the browser save a file. */
export function downloadFile(name: string, content: Blob): void {
	const url = URL.createObjectURL(content);
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), addressLifeMs);
}

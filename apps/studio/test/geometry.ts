import type { Page } from 'playwright-core';

/**
 * What is wrong with how a page is laid out: regions that overlap, text that is cut off without an ellipsis and a
 * way to read it whole, controls that lie outside of the window.
 */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}"`;
    const isShown = (element: Element) => {
      const rect = element.getBoundingClientRect();
      if (rect.width < 2 || rect.height < 2) return false;
      return (
        (element as HTMLElement).checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) ??
        true
      );
    };
    const overlap = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    // Regions of the window lie side by side; so do the parts of every bar and row.
    const rows = [
      '.app',
      '.top',
      '.transport',
      '.view-bar',
      '.setting',
      '.tabs',
      '.status',
      '.console-bar',
      '.view',
      '.clip-row',
      '.pass-head',
      '.views',
      '.sheet-foot',
      '.measure-row',
      '.pair-row',
    ];
    for (const row of document.querySelectorAll(rows.join(', '))) {
      // A bar over a view is as wide as the view; what counts is what stands in it.
      const parts = [...row.children].flatMap((child) =>
        child.matches('.view > .view-bar') ? [...child.children] : [child],
      );
      const children = parts.filter(
        (child) =>
          isShown(child) &&
          !child.matches('.marker, .splitter') &&
          getComputedStyle(child).position !== 'fixed',
      );
      children.forEach((a, i) => {
        for (const b of children.slice(i + 1))
          if (overlap(a.getBoundingClientRect(), b.getBoundingClientRect()))
            faults.push(`${nameOf(a)} overlaps ${nameOf(b)}`);
      });
    }
    for (const element of document.querySelectorAll<HTMLElement>(
      'button, span, p, h1, h2, h3, td, label, li, strong',
    )) {
      if (!isShown(element) || element.closest('.hidden-text, .marks, canvas')) continue;
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === 3 && node.textContent!.trim() !== '',
      );
      if (
        !hasText ||
        element.scrollWidth <= element.clientWidth + 1 ||
        getComputedStyle(element).display === 'inline'
      )
        continue;
      const style = getComputedStyle(element);
      const readable = element.title || element.closest('[title]') || element.closest('[data-state]');
      if (style.textOverflow === 'ellipsis' ? !readable : style.overflowX !== 'visible')
        faults.push(`${nameOf(element)} is cut off`);
    }
    for (const element of document.querySelectorAll<HTMLElement>(
      'button, input, [tabindex="0"], [role="slider"], [role="switch"]',
    )) {
      if (!isShown(element) || element.closest('.scroll, .sheet-body, .marks, .popup')) continue;
      const rect = element.getBoundingClientRect();
      if (rect.left < -1 || rect.top < -1 || rect.right > innerWidth + 1 || rect.bottom > innerHeight + 1)
        faults.push(`${nameOf(element)} lies outside of the window`);
      const region = element.closest('.top, .left, .right, .bottom, .status, .stage');
      const home = region?.getBoundingClientRect();
      if (
        home &&
        !element.classList.contains('splitter') &&
        (rect.left < home.left - 2 ||
          rect.right > home.right + 2 ||
          rect.top < home.top - 2 ||
          rect.bottom > home.bottom + 2)
      )
        faults.push(`${nameOf(element)} lies outside of its region`);
    }
    for (const element of document.querySelectorAll<HTMLInputElement>('input.number'))
      if (isShown(element) && element.scrollWidth > element.clientWidth + 1)
        faults.push(`"${element.value}" is cut off in ${nameOf(element)}`);
    // A control that is wider than its room would lie over the words beside it.
    for (const control of document.querySelectorAll('.setting > .control'))
      for (const part of control.children)
        if (isShown(part) && part.getBoundingClientRect().left < control.getBoundingClientRect().left - 1)
          faults.push(`${nameOf(part)} is wider than its room`);
    // What scrolls, scrolls up and down alone.
    for (const element of document.querySelectorAll<HTMLElement>('.scroll, .sheet-body'))
      if (isShown(element) && element.scrollWidth > element.clientWidth + 1)
        faults.push(`${nameOf(element)} is wider than its region`);
    return [...new Set(faults)];
  });
}

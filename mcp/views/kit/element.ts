/** Creates DOM and SVG elements. Text becomes text nodes and attributes, never markup. */
type Child = Node | string | number | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined | (() => void)>>;
type Parts = readonly (Child | Attributes)[];

/** @param selector the tag, with classes if any: `p.small.soft` */
export function html<Tag extends keyof HTMLElementTagNameMap>(
  selector: Tag | `${Tag}.${string}`,
  ...parts: Parts
): HTMLElementTagNameMap[Tag] {
  const [tag = '', ...classes] = selector.split('.');
  return fillElement(document.createElement(tag as Tag), classes, parts);
}

export function svg(selector: string, ...parts: Parts): SVGElement {
  const [tag = '', ...classes] = selector.split('.');
  return fillElement(document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement, classes, parts);
}

export function button(label: string, click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return html('button', { type: 'button', ...attributes, click }, label);
}

function fillElement<Target extends Element>(element: Target, classes: readonly string[], parts: Parts): Target {
  if (classes.length > 0) element.setAttribute('class', classes.join(' '));
  for (const part of parts) {
    if (part === undefined || part === false) continue;
    if (part instanceof Node || typeof part !== 'object') element.append(part instanceof Node ? part : String(part));
    else for (const [name, value] of Object.entries(part)) setAttribute(element, name, value);
  }
  return element;
}

function setAttribute(element: Element, name: string, value: Attributes[string]): void {
  if (typeof value === 'function') element.addEventListener(name, value);
  else if (value === true) element.setAttribute(name, '');
  else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
}

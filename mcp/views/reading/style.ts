export const style = `
.h0{fill:var(--raised)}.h1{fill:var(--h1)}.h2{fill:var(--h2)}.h3{fill:var(--h3)}.h4{fill:var(--h4)}.h5{fill:var(--h5)}.h6{fill:var(--h6)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(105px,1fr));gap:8px;margin:10px 0}.figures div{background:var(--raised);border-radius:8px;padding:8px 10px}.figures dd{margin:0;font-size:16px;font-weight:600}
.curve{display:block;width:100%;height:110px}.area{fill:var(--h2);opacity:.6}.line{fill:none;stroke:var(--h5);stroke-width:2}
.readers li{border-bottom:1px solid var(--line)}
button.reader{display:grid;grid-template-columns:minmax(90px,34%) 74px 1fr;gap:8px;align-items:center;width:100%;border:0;background:none;border-radius:4px;padding:5px 2px;text-align:left}
.reader .name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.reader .time{text-align:right}
.strip{display:block;width:100%;height:18px;border-radius:3px}.more{padding:2px 6px 10px}
.bar{width:50%}.bar svg,.document svg{display:block;width:100%;height:8px;margin-top:6px}
.document{display:grid;grid-template-columns:1fr auto;gap:2px 10px;padding:4px 0}.document svg{grid-column:1/-1;margin:0;height:6px}
.key{gap:4px}.legend{gap:10px;margin-top:8px}.axis{margin:2px 0}.empty{padding:24px 0;text-align:center}
@media (max-width:520px){button.reader{grid-template-columns:1fr auto}.strip,.reader>.small:last-child{grid-column:1/-1}}
`;

export const style = `
.picks{margin-top:8px}.picks li{margin:0 0 4px}
button.pick{display:flex;flex-direction:column;align-items:flex-start;gap:1px;width:100%;text-align:left;padding:7px 10px}
.pick .name{font-weight:600}.empty{padding:20px 0;text-align:center}
`;

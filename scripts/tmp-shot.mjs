import { openPage } from './browser.mjs';
const [,, url, out, file, w='900', h='600']=process.argv;
const o=await openPage(url,{width:+w,height:+h,seconds:120}); const {page,problems}=o;
const lines=[]; page.on('request',r=>lines.push(r.url()));
await page.waitForTimeout(6000);
if(file&&file!=='-') { await page.setInputFiles('#avatar',file); await page.waitForTimeout(5000); }
console.log(await page.evaluate(()=>document.querySelector('#status')?.textContent ?? document.title));
await page.screenshot({path:out}); console.log(problems, lines.filter(l=>!l.includes('127.0.0.1')&&!l.includes('localhost')&&!l.startsWith('blob')&&!l.startsWith('data')).slice(0,5)); await (o.close?.() ?? page.context().browser().close()); process.exit(0);


ByJ °pהמRjיתמtLץ¿]\w\ףIr"ז5סקziתhi